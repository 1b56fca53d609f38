import { createHash } from 'node:crypto'
import { toLogText } from './world.ts'

/** The log of a run: equal byte by byte for equal seeds. */
export const createRunLog = (now: () => number, keepsAll: boolean) => {
  const hash = createHash('sha256')
  const lines: string[] = []
  let count = 0
  /** newest lines, for the story of a failure */
  const maxLines = 200_000
  return {
    write: (source: string, kind: string, facts: unknown): void => {
      const line = `${now()} ${source} ${kind} ${typeof facts === 'string' ? facts : toLogText(facts)}`
      hash.update(`${line}\n`)
      count += 1
      lines.push(line)
      if (!keepsAll && lines.length > 2 * maxLines) lines.splice(0, maxLines)
    },
    lines: lines as readonly string[],
    count: () => count,
    digest: () => hash.copy().digest('hex'),
  }
}

export type RunLog = ReturnType<typeof createRunLog>
