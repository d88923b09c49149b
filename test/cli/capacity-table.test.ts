import { expect, it } from 'vitest';
import { capacityTable } from '../../src/cli/capacity-table.ts';

it('shows what one child offers at each size, and how many there is room for', () => {
  const rates = [
    { messageBytes: 100, messagesPerSecond: 412_345.6 },
    { messageBytes: 1_000_000, messagesPerSecond: 1_234.5 },
  ];
  expect(capacityTable(rates, { cores: 2.5, byMemory: 19 })).toBe(
    [
      'of one load child with one core:',
      '     message      messages/s        MB/s',
      '       100 B         412,346        41.2',
      '        1 MB           1,235       1,235',
      '2.5 cores may be used, memory is free for 19 load children: 2 run at once',
      '',
    ].join('\n'),
  );
});
