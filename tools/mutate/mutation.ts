/** One small change at one place of a source. */
export type Mutation = {
  /** relative to the repository */
  path: string
  /** UTF-16 offsets of the replaced text */
  start: number
  end: number
  replacement: string
  /** kind of change: `comparison`, `number`, … */
  operator: string
  /** from 1 */
  line: number
}
