import { formatInitial, SETTINGS } from './settings.ts';

/** Writes the README's table of settings, in Markdown: name, default, unit, flag, variable, meaning. */
export function configTable(): string {
  const rows = SETTINGS.map((setting) => {
    const env = setting.alsoEnv ? `\`${setting.env}\`, \`${setting.alsoEnv}\`` : `\`${setting.env}\``;
    const cells = [
      `\`${setting.name}\``,
      formatInitial(setting),
      setting.unit ?? '',
      `\`--${setting.flag}\``,
      env,
      setting.description,
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return [
    '| setting | default | unit | flag | variable | meaning |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
