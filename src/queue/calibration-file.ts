import { join } from 'node:path';
import { packageRoot } from '../local-cluster/package-root.ts';

/** Where the measurement of this machine is kept for all runs of this installation. */
export function calibrationFile(): string {
  return join(packageRoot(), '.cache', 'calibration.json');
}
