/** One small change of a source, at a place. */
export type Mutation = {
  /** relative to the repository */
  path: string
  /** UTF-16 offsets of the replaced text */
  start: number
  end: number
  replacement: string
  /** what kind of change it is: `comparison`, `number`, … */
  operator: string
  /** from 1 */
  line: number
}
