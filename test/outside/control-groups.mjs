// Ceilings of CPU and of disk bandwidth by control groups, version 1; they need root.
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

/** Why a controller cannot be used here; null when it can. */
export function lacks(controller) {
  const file = { cpu: 'cpu.cfs_quota_us', blkio: 'blkio.throttle.write_bps_device' }[controller];
  try {
    accessSync(ROOT, constants.W_OK);
    if (readdirSync(join(ROOT, controller)).some((name) => name === 'cgroup.procs')) {
      const group = newGroup(controller);
      try {
        statSync(join(group, file));
        return null;
      } finally {
        rmdirSync(group);
      }
    }
  } catch {
    // Not mounted, or not ours to write.
  }
  return `no ${controller} control group (version 1, as root) here`;
}

/** Holds processes to a share of a core. @returns what lets them go. */
export function limitCpu(pids, cores) {
  const group = newGroup('cpu');
  writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(cores * PERIOD_US)));
  return hold('cpu', group, pids);
}

/** Holds writes of processes to the disk of a folder, each to so many bytes per second. @returns what lets them go. */
export function limitDiskWrites(pids, folder, bytesPerSecond) {
  const releases = pids.map((pid) => {
    const group = newGroup('blkio');
    writeFileSync(join(group, 'blkio.throttle.write_bps_device'), `${deviceOf(folder)} ${bytesPerSecond}`);
    return hold('blkio', group, [pid]);
  });
  return () => {
    for (const release of releases) release();
  };
}

let groups = 0;

function newGroup(controller) {
  groups += 1;
  const group = join(ROOT, controller, `plimsoll-${process.pid}-${groups}`);
  mkdirSync(group);
  return group;
}

function hold(controller, group, pids) {
  for (const pid of pids) writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return () => {
    for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) {
      writeFileSync(join(ROOT, controller, 'cgroup.procs'), pid);
    }
    rmdirSync(group);
  };
}

/** `254:0`, of the whole disk that a folder is on. */
function deviceOf(folder) {
  const { dev } = statSync(folder);
  // As the kernel packs major and minor numbers into dev_t.
  const major = (dev >> 8) & 0xfff;
  const minor = (dev & 0xff) | ((dev >> 12) & 0xfff00);
  return `${major}:${minor}`;
}
