import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlimsollError } from '../errors.ts';

/**
 * Path of a compiled file under `dist/`, whether the caller runs from `dist/` or from the sources (tests).
 * Child processes always start from the build: Node 20 runs no .ts.
 * @param name path below `dist/`, such as `workers/load-child.js`.
 * @throws PlimsollError TOOL_MISSING when the build is not there.
 */
export function builtFile(name: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const top = join(here, '..', '..');
  const file = import.meta.url.endsWith('.ts') ? join(top, 'dist', name) : join(top, name);
  if (!existsSync(file))
    throw new PlimsollError('TOOL_MISSING', `${file} is missing: run \`npm run build\` first`);
  return file;
}
