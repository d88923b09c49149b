import type { RateAttribute } from './signal-series.ts';

/**
 * How the mainstream exporter set-ups spell the attributes of one bean; all in lower case. Set-ups in each list: JMX
 * exporter without rules (also MSK, Confluent for Kubernetes), its examples and Strimzi, Bitnami, Strimzi's reporter,
 * Confluent stacks and cp-ansible, cp-helm, koperator, Aiven.
 * Notation: see `SignalSeries.names`.
 */

const POOL = 'kafka_server_kafkarequesthandlerpool';

/** Count of an idle meter, nanoseconds. */
export function idleCountNames(bean: string): readonly string[] {
  return [
    `${POOL}_count{name=${bean}}`,
    `${POOL}_${bean}_count_total`,
    `${POOL}_${bean}_count`,
    `${POOL}_total_${bean}_count`,
    `${POOL}_${bean}_total?`,
    `${POOL}_${bean}?`,
    `cp_kafka_kafkarequesthandlerpool_${bean}?`,
  ];
}

/**
 * A rate of an idle meter. Three names stand for one rate where the page says nothing else: the JMX exporter's examples
 * call the mean rate `..._percent`; cp-ansible with exporter 0.x calls the one-minute rate `..._total`, cp-helm `cp_...`.
 */
export function idleRateNames(bean: string, attribute: RateAttribute): readonly string[] {
  const rate = attribute.toLowerCase();
  const stem = bean.replace(/percent$/, '');
  const standsFor = (name: string, rateOfName: RateAttribute) =>
    rateOfName === attribute ? name : `${name}?`;
  return [
    `${POOL}_${rate}{name=${bean}}`,
    `${POOL}_${bean}_${rate}`,
    `${POOL}_${stem}_${rate}_percent`,
    `${POOL}_total_${bean}_${rate}`,
    standsFor(`${POOL}_${stem}_percent`, 'MeanRate'),
    standsFor(`${POOL}_${bean}_total`, 'OneMinuteRate'),
    standsFor(`cp_kafka_kafkarequesthandlerpool_${bean}`, 'OneMinuteRate'),
    `${POOL}_${bean}?`,
  ];
}

/** Count of a `...PerSec` meter. */
export function meterCountNames(family: string, meter: string): readonly string[] {
  return [
    `${family}_count{name=${meter}persec}`,
    `${family}_${meter}_total`,
    `${family}_${meter}persec_total`,
    `${family}_${meter}persec_count_total`,
    `${family}_${meter}persec_count`,
    `${family}_total_${meter}persec_count`,
    `${family}_${meter}persec?`,
  ];
}

/** One-minute rate of a `...PerSec` meter. */
export function meterRateNames(family: string, meter: string): readonly string[] {
  return [
    `${family}_oneminuterate{name=${meter}persec}`,
    `${family}_${meter}persec_oneminuterate`,
    `${family}_${meter}persec_oneminuterate_alltopics`,
    `${family}_total_${meter}persec_oneminuterate`,
    `cp_${family}_${meter}persec`,
    `${family}_${meter}persec?`,
  ];
}

/** Value of a gauge. */
export function gaugeNames(family: string, gauge: string): readonly string[] {
  return [
    `${family}_value{name=${gauge}}`,
    `${family}_${gauge}`,
    `${family}_${gauge}_value`,
    `${family}_total_${gauge}_value`,
    `cp_${family}_${gauge}`,
  ];
}
