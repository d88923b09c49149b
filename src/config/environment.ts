/** The process's environment. The one place that reads it; everything else is handed what it needs. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
