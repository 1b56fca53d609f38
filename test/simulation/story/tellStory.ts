import { Violation } from '../invariants/violation.ts'
import type { SimulationResult } from '../simulate.ts'

/** newest lines of an order, and of everything */
const orderLines = 40
const lastLines = 25
const maxLength = 400

const shorten = (line: string): string => (line.length > maxLength ? `${line.slice(0, maxLength)}…` : line)
/** idle ticks of the clock say nothing */
const isTelling = (line: string): boolean => !line.includes('"message":"tick"') || !line.includes('"blocks":0')

/** The failure of a run, the last events of its order, and the last events of all. */
export const tellStory = ({ log, failure }: SimulationResult): string[] => {
  const reason = failure instanceof Violation ? failure.message : failure instanceof Error ? failure.stack : failure
  const uid = failure instanceof Violation ? failure.uid : undefined
  const lines = log.lines.filter(isTelling)
  const ofOrder = uid ? lines.filter((line) => line.includes(uid)).slice(-orderLines) : []
  const disturbances = lines.filter((line) => line.includes(' world weather ')).slice(-5)
  return [
    String(reason),
    ...(uid ? ['', `order ${uid}:`, ...ofOrder.map(shorten)] : []),
    ...(disturbances.length > 0 ? ['', 'weather:', ...disturbances.map(shorten)] : []),
    '',
    'at last:',
    ...lines.slice(-lastLines).map(shorten),
  ]
}
