import { describe, expect, it } from 'vitest';
import { roomForChildren, usualChildren } from '../../src/process/room-for-children.ts';

describe('usualChildren', () => {
  it.each([
    [{ cores: 8, byMemory: 20 }, 8, 'one for each core'],
    [{ cores: 8, byMemory: 3 }, 3, 'as many as fit into memory'],
    [{ cores: 0.3, byMemory: 20 }, 1, 'one at least, however slow'],
    [{ cores: 2.5, byMemory: 0 }, 1, 'one at least, however tight'],
    [{ cores: 2.5, byMemory: 9 }, 2, 'whole ones'],
  ])('%j: %d (%s)', (room, expected, _why) => {
    expect(usualChildren(room)).toBe(expected);
  });
});

it('finds room on this machine', () => {
  const { cores, byMemory } = roomForChildren();
  expect(cores).toBeGreaterThan(0);
  expect(byMemory).toBeGreaterThanOrEqual(0);
});
