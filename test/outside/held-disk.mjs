// Holds the disk of brokers to a rate (Linux, root, cgroup v1 blkio). The disk of a machine that others share can change by a
// fifth within a quarter of an hour, and then a repeat of a search finds another limit because there is another limit.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BLKIO = '/sys/fs/cgroup/blkio';

/** Whether this machine can hold a disk to a rate. */
export function canHoldDisk() {
  return process.getuid?.() === 0 && existsSync(join(BLKIO, 'blkio.throttle.write_bps_device'));
}

/**
 * Holds what each process writes to the disk under `folder` to `bytesPerSecond`.
 * @returns a function that lets go again; the processes have to be gone, or are moved back.
 */
export function holdDisk(pids, folder, bytesPerSecond) {
  const device = deviceOf(folder);
  const groups = pids.map((pid) => {
    const group = join(BLKIO, `plimsoll-${pid}`);
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, 'blkio.throttle.write_bps_device'), `${device} ${bytesPerSecond}`);
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    return group;
  });
  return () => {
    for (const group of groups) {
      for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) {
        writeFileSync(join(BLKIO, 'cgroup.procs'), pid);
      }
      rmdirSync(group);
    }
  };
}

/** MAJOR:MINOR of the disk that holds a folder: of the longest mount point above it. */
function deviceOf(folder) {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, , device, , point]) => ({ device, point: point === '/' ? '' : point }))
    .filter(({ point }) => `${folder}/`.startsWith(`${point}/`));
  return mounts.sort((a, b) => b.point.length - a.point.length)[0].device;
}
