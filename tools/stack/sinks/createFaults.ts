import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { sinkChannels } from './createMailbox.ts'

export const faultSchema = z.object({
  channel: z.enum(sinkChannels),
  /** response status instead of taking the message; none: only a delay */
  status: z.number().int().min(300).max(599).optional(),
  delayMs: z.number().int().min(0).max(60_000).default(0),
  /** number of affected messages, 0 to end the fault */
  times: z.number().int().min(0).default(1),
})

export type ChannelFault = z.output<typeof faultSchema>

/** Configured faults, one per channel. */
export const createFaults = () => {
  const faults = new Map<ChannelFault['channel'], ChannelFault>()
  return {
    set: (fault: ChannelFault) => faults.set(fault.channel, fault),
    list: () => [...faults.values()].filter(({ times }) => times > 0),
    /** Waits for the configured delay. @returns the status to refuse with; undefined: no fault */
    meet: async (channel: ChannelFault['channel']): Promise<number | undefined> => {
      const fault = faults.get(channel)
      if (!fault || fault.times === 0) return undefined
      fault.times -= 1
      await sleep(fault.delayMs)
      return fault.status
    },
  }
}

export type Faults = ReturnType<typeof createFaults>
