import { nearestName } from './nearest-name.ts';
import { GROUPS, SETTINGS } from './settings.ts';

const PREFIX = 'PLIMSOLL_';

/** Variables with the prefix that are not settings. */
const OTHER_VARIABLES = ['PLIMSOLL_CONFIG'];

/** Says that a key of the file is not a setting, with the setting most likely meant. */
export function unknownSetting(path: readonly PropertyKey[], key: string): string {
  const [first, ...rest] = key.split('.');
  if (path.length === 0 && SETTINGS.some(({ name }) => name === key)) {
    return `${key} is a group in the file: write ${first}: and below it, indented, ${rest.join('.')}:`;
  }
  const group = path.length > 0 ? `${path.join('.')}.` : '';
  const inGroup = SETTINGS.map(({ name }) => name).filter((name) => name.startsWith(group));
  const siblings = group === '' ? [...inGroup, ...GROUPS] : inGroup;
  const near =
    nearestName(key, siblings) ??
    nearestName(
      key,
      SETTINGS.map(({ name }) => name),
    );
  return `${group}${key} is not a setting${near === null ? '' : `; did you mean ${near}?`}`;
}

/** Finds PLIMSOLL_ variables that are no settings; one message each. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...SETTINGS.map((setting) => setting.env), ...OTHER_VARIABLES];
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((name) => {
      // Typed after the flag, which is shorter than the name for many.
      const ofFlag = SETTINGS.find(({ flag }) => PREFIX + flag.replaceAll('-', '_').toUpperCase() === name);
      if (ofFlag !== undefined) return `${name} is not a setting; did you mean ${ofFlag.env}?`;
      // Compared without the prefix, which would make any two names look alike.
      const near = nearestName(
        name.slice(PREFIX.length),
        known.map((other) => other.slice(PREFIX.length)),
      );
      return `${name} is not a setting${near === null ? '' : `; did you mean ${PREFIX}${near}?`}`;
    });
}
