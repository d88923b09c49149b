import { join } from 'node:path';

/** Where the files of a run are, when the user names no other folder. */
export function runFolder(home: string, runId: string): string {
  return join(home, 'runs', runId);
}
