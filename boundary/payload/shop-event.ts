import { nextBelow, type RandomSource } from '../random.ts';

const EVENTS = ['bought', 'viewed', 'refund', 'search', 'basket', 'review'];

/** Words of a buyer's note; with their frequencies alike, codecs shorten them about as they shorten prose. */
const WORDS = (
  'please leave the parcel at door garden neighbour after five ring twice gift wrap for my sister birthday in blue paper ' +
  'no invoice inside thank you call before delivery second floor left side gate code is broken use back entrance dog ' +
  'friendly handle with care fragile glass bottles keep cold return old box if possible deliver on saturday morning only'
).split(' ');

/**
 * Writes the event of a shop as a JSON document into `bytes` from `start` on, of exactly `size` bytes (at least 1). As many
 * items as fit, then a note that fills what is left. Under 90 bytes there is no room for an event: the document is then a
 * note alone, or a text.
 */
export function writeShopEvent(bytes: Uint8Array, start: number, size: number, random: RandomSource): void {
  const head = eventHead(random);
  const end = start + size;
  if (size < head.length + EVENT_TAIL.length + NOTE_END.length) {
    writeSmallDocument(bytes, start, size, random);
    return;
  }
  let at = write(bytes, start, head);
  const itemsEnd = end - EVENT_TAIL.length - NOTE_END.length;
  for (let item = itemOf(random); at + item.length <= itemsEnd; item = `,${itemOf(random)}`) {
    at = write(bytes, at, item);
  }
  at = write(bytes, at, EVENT_TAIL);
  at = writeWords(bytes, at, end - NOTE_END.length, random);
  write(bytes, at, NOTE_END);
}

const EVENT_TAIL = '],"note":"';
const NOTE_START = '{"note":"';
const NOTE_END = '"}';

/** Of the same length each time, so that what room there is depends on the size alone. */
function eventHead(random: RandomSource): string {
  const id = random.next().toString(16).padStart(8, '0');
  const event = EVENTS[nextBelow(random, EVENTS.length)];
  return `{"id":"${id}","event":"${event}","buyer":${fiveDigits(random)},"total":${price(random)},"items":[`;
}

function itemOf(random: RandomSource): string {
  return `{"sku":"K-${fiveDigits(random)}","quantity":${1 + nextBelow(random, 9)},"price":${price(random)}}`;
}

function fiveDigits(random: RandomSource): number {
  return 10_000 + nextBelow(random, 90_000);
}

function price(random: RandomSource): string {
  return ((1_000 + nextBelow(random, 9_000)) / 100).toFixed(2);
}

function writeSmallDocument(bytes: Uint8Array, start: number, size: number, random: RandomSource): void {
  if (size === 1) {
    write(bytes, start, String(nextBelow(random, 10)));
    return;
  }
  const [opening, closing] = size > NOTE_START.length + NOTE_END.length ? [NOTE_START, NOTE_END] : ['"', '"'];
  const at = write(bytes, start, opening);
  const textEnd = start + size - closing.length;
  write(bytes, writeWords(bytes, at, textEnd, random), closing);
}

/** Words with blanks between them up to `end`, where the last one is cut. */
function writeWords(bytes: Uint8Array, start: number, end: number, random: RandomSource): number {
  let at = start;
  while (at < end) {
    const word = `${WORDS[nextBelow(random, WORDS.length)]} `;
    at = write(bytes, at, word.length <= end - at ? word : word.slice(0, end - at));
  }
  return at;
}

/** Writes ASCII. @returns the place behind it. */
function write(bytes: Uint8Array, start: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) bytes[start + index] = text.charCodeAt(index);
  return start + text.length;
}
