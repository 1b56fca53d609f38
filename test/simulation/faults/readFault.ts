import { type DeliberateFault, deliberateFaults } from './deliberateFaults.ts'

/**
 * A deliberate fault by its name.
 * @throws Error for an unknown name
 */
export const readFault = (name: string | undefined): DeliberateFault | undefined => {
  if (!name) return undefined
  const fault = deliberateFaults.find((other) => other.name === name)
  if (!fault)
    throw new Error(`unknown fault ${name}; there are ${deliberateFaults.map((other) => other.name).join(', ')}`)
  return fault
}
