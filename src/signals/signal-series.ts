/** What a look at one broker can tell; each is one number, or one per core. */
export type SignalName =
  | 'brokerIdleCount'
  | 'brokerIdleMeanRate'
  | 'brokerIdleOneMinuteRate'
  | 'brokerIdleFiveMinuteRate'
  | 'brokerIdleFifteenMinuteRate'
  | 'idleCount'
  | 'idleMeanRate'
  | 'idleOneMinuteRate'
  | 'idleFiveMinuteRate'
  | 'idleFifteenMinuteRate'
  | 'busySeconds'
  | 'underReplicatedPartitions'
  | 'underMinIsrPartitions'
  | 'offlineReplicas'
  | 'offlinePartitions'
  | 'isrShrinks'
  | 'isrShrinkRate'
  | 'isrExpands'
  | 'isrExpandRate'
  | 'bytesIn'
  | 'bytesInRate'
  | 'bytesOut'
  | 'bytesOutRate'
  | 'replicationBytesIn'
  | 'replicationBytesInRate'
  | 'messagesIn'
  | 'messagesInRate'
  | 'produceRequests'
  | 'fetchRequests'
  | 'requestQueueSize'
  | 'produceP99Ms'
  | 'networkIdle'
  | 'activeControllers'
  | 'processCpuSeconds'
  | 'gcSeconds'
  | 'processStartSeconds';

export type RateAttribute = 'MeanRate' | 'OneMinuteRate' | 'FiveMinuteRate' | 'FifteenMinuteRate';

/** Attributes of an idle meter (handbook "Signals", 1.1). */
export type IdleAttribute = 'Count' | RateAttribute;

/** Attribute of the bean behind a series. `Value`: a plain number, not part of a meter. */
export type BeanAttribute = IdleAttribute | '99thPercentile' | 'Value';

export interface SignalSeries {
  /** What a person calls it. */
  readonly title: string;
  /** Object name of the bean behind it; null for what only an exporter or Redpanda writes. */
  readonly bean: string | null;
  readonly attribute: BeanAttribute;
  readonly kind: ValueKind;
  /** `one` series speaks for the broker, or all that fit are summed, or kept apart as `each` core's. */
  readonly gather: 'one' | 'sum' | 'each';
  /** Only looked for when this other signal is not on the page. */
  readonly standsInFor: SignalName | null;
  /** What to add when it is missing; null when nobody needs it. */
  readonly remedy: string | null;
  /**
   * Names, best first, in lower case (pages are compared without regard to case).
   * `{label=value,...}` must hold, numbers compared as such. `name_*` is any name that starts so.
   * `... / 1e9`: the page's value is divided by that.
   * `?`: the name alone does not tell the attribute; the page must (handbook "Signals", 1.3).
   */
  readonly names: readonly string[];
}

/**
 * What the number is, so that a value which cannot be it is refused. ns counter: nanoseconds, so a live value is huge;
 * counter: whole events or bytes; idle rate: a ratio, 0..2; rate: per second; seconds; gauge.
 */
export type ValueKind = 'ns counter' | 'counter' | 'idle rate' | 'rate' | 'seconds' | 'gauge';

export type SignalTable = Readonly<Partial<Record<SignalName, SignalSeries>>>;
