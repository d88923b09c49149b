import { describe, expect, it } from 'vitest';
import { html, trustedMarkup } from '../../charts/html.ts';

describe('html', () => {
  it('escapes strings in content and in attributes', () => {
    const hostile = `"><script>alert('&')</script>`;
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
    );
  });

  it('nests markup once, and lists of markup without separators', () => {
    const items = ['<a>', 'b'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>${trustedMarkup('<hr>')}${7}${''}`.text).toBe(
      '<ul><li>&lt;a&gt;</li><li>b</li></ul><hr>7',
    );
  });
});
