import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { channels } from './createMailbox.ts'

export const faultSchema = z.object({
  channel: z.enum(channels),
  /** answered in place of taking the message; none: it is only slow */
  status: z.number().int().min(300).max(599).optional(),
  delayMs: z.number().int().min(0).max(60_000).default(0),
  /** how many messages meet it, 0 to end it */
  times: z.number().int().min(0).default(1),
})

export type Fault = z.output<typeof faultSchema>

/** What goes wrong next, one fault for each channel. */
export const createFaults = () => {
  const faults = new Map<Fault['channel'], Fault>()
  return {
    set: (fault: Fault) => faults.set(fault.channel, fault),
    list: () => [...faults.values()].filter(({ times }) => times > 0),
    /** Waits as long as it is told to. @returns the status to refuse with; undefined: nothing is wrong */
    meet: async (channel: Fault['channel']): Promise<number | undefined> => {
      const fault = faults.get(channel)
      if (!fault || fault.times === 0) return undefined
      fault.times -= 1
      await sleep(fault.delayMs)
      return fault.status
    },
  }
}

export type Faults = ReturnType<typeof createFaults>
