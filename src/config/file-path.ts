import { accessSync, constants } from 'node:fs';
import { good, type Reader, shown, wrong } from './read-value.ts';

/** Reads the path of a file that is there and may be read; relative to the working folder. */
export const readFilePath: Reader<string> = (raw) => {
  if (typeof raw !== 'string' || raw.trim() === '') return wrong(`must be a file, not ${shown(raw)}`);
  const path = raw.trim();
  try {
    accessSync(path, constants.R_OK);
    return good(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return wrong(
      isMissing ? `must be a file; there is no ${shown(path)}` : `names ${shown(path)}, which cannot be read`,
    );
  }
};
