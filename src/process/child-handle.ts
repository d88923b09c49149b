/** What to start, and where its output goes. Paths are absolute. */
export interface ProcessCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Standard output and error are appended here. */
  readonly logFile: string;
}

/** A process this program started and may stop. */
export interface ChildHandle {
  readonly pid: number;
  hasExited(): boolean;
  /** Sends SIGTERM, after `graceMs` SIGKILL; resolves when the process is gone. Safe to call twice. */
  stop(graceMs: number): Promise<void>;
}
