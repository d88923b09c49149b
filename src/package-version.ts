import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './local-cluster/package-root.ts';

/** Version of Plimsoll. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
