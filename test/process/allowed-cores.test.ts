import { describe, expect, it } from 'vitest';
import { allowedCores, quotaCores } from '../../src/process/allowed-cores.ts';

const reader = (files: Readonly<Record<string, string>>) => (path: string) => files[path] ?? null;

describe('quotaCores', () => {
  it.each([
    [{}, null, 'no cgroups, as on macOS'],
    [
      { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' },
      null,
      'version 2 without a quota',
    ],
    [
      { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n' },
      1.5,
      'version 2 in a container, which sees its own group as the root',
    ],
    [
      {
        '/proc/self/cgroup': '0::/plimsoll/child\n',
        '/sys/fs/cgroup/plimsoll/child/cpu.max': 'max 100000\n',
        '/sys/fs/cgroup/plimsoll/cpu.max': '20000 100000\n',
      },
      0.2,
      'the group above has the least',
    ],
    [
      {
        '/proc/self/cgroup': '4:memory:/a\n1:cpu:/starved\n0::/\n',
        '/sys/fs/cgroup/cpu/starved/cpu.cfs_quota_us': '10000\n',
        '/sys/fs/cgroup/cpu/starved/cpu.cfs_period_us': '100000\n',
        '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
        '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
      },
      0.1,
      'version 1; -1 is no quota',
    ],
    [
      {
        '/proc/self/cgroup': '3:cpu,cpuacct:/docker/0123\n',
        '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '200000\n',
        '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
      },
      2,
      "version 1 in a container: the path is the host's, the mount is its own",
    ],
    [{ '/proc/self/cgroup': '5:cpuset:/x\n', '/sys/fs/cgroup/x/cpu.max': '1 2' }, null, 'another controller'],
    [
      { '/proc/self/cgroup': 'garbage\n0::/\n', '/sys/fs/cgroup/cpu.max': 'garbage\n' },
      null,
      'nothing readable',
    ],
  ])('row %#: %s', (files, expected, _why) => {
    expect(quotaCores(reader(files as Readonly<Record<string, string>>))).toBe(expected);
  });
});

it('allows this process some CPU', () => {
  expect(allowedCores()).toBeGreaterThan(0);
});
