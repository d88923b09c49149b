import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { getMetricsFromStream } from 'prom2javascript';
import { parseExposition } from '../../dist/src/signals/exposition.js';

/**
 * The parsers side by side. `parse` builds what the parser's users get of a page; `find` gives the value of one series
 * of it, or undefined.
 */
export const PLIMSOLL = {
  name: 'Plimsoll',
  parse: (page, names) => parseExposition(page, (name) => names.has(name)),
  find: ({ samples }, { name, labels: wanted }) => {
    const entries = Object.entries(wanted);
    const isWanted = ({ labels }) =>
      labels.size === entries.length && entries.every(([label, value]) => labels.get(label) === value);
    return samples.find((sample) => sample.name === name && isWanted(sample))?.value;
  },
};

export const OTHERS = [
  {
    name: `parse-prometheus-text-format ${versionOf('parse-prometheus-text-format')}`,
    parse: (page) => parsePrometheusTextFormat(page),
    find: (families, series) => {
      const family = families.find(({ name }) => name === series.name);
      const found = family?.metrics.find(({ labels = {} }) => hasLabels(labels, series));
      return found === undefined ? undefined : Number(found.value);
    },
  },
  {
    name: `prom2javascript ${versionOf('prom2javascript')}`,
    parse: (page) => getMetricsFromStream(Readable.from([page])),
    find: (families, series) =>
      families[series.name]?.data.find(({ labels }) => hasLabels(labels, series))?.value,
  },
];

function hasLabels(labels, { labels: wanted }) {
  const names = Object.keys(wanted);
  return names.length === Object.keys(labels).length && names.every((name) => labels[name] === wanted[name]);
}

function versionOf(name) {
  const path = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')).version;
}
