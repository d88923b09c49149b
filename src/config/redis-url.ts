import { good, type Reader, shown, wrong } from './read-value.ts';

/** Reads a Redis address: redis://host:port or rediss://host:port, optionally with credentials and database. */
export const readRedisUrl: Reader<string> = (raw) => {
  const isUrl = typeof raw === 'string' && /^rediss?:\/\/./i.test(raw.trim()) && URL.canParse(raw.trim());
  return isUrl ? good(raw.trim()) : wrong(`must be a URL such as redis://host:6379, not ${shown(raw)}`);
};
