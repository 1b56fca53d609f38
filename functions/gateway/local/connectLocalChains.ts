import { z } from 'zod'
import { type NetworkName, networkNames } from '#shared/networks.ts'
import { jsonTextSchema } from '#shared/validation/jsonText.ts'

/** The nodes of networks that are chains on this machine, for anybody to play with. */
export type LocalChains = Partial<Record<NetworkName, string>>

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Whether a host of a URL is this machine, whatever anybody's name server says. */
export const isLoopbackHost = (hostname: string): boolean => loopback.has(hostname)

const isLoopback = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname) && url.username === ''
}

const loopbackUrlSchema = z.string().refine(isLoopback, 'only a node of this machine: http://127.0.0.1:8545')

const localChainsSchema = jsonTextSchema.pipe(z.partialRecord(z.enum(networkNames), loopbackUrlSchema))

/**
 * The setting `LOCAL_RPC_URLS`, network name → URL, which only a local stack has. A node in it has unlocked accounts, and who
 * reaches the gateway may use them.
 * @throws ZodError when it is anything else: a gateway that is set up so must not start
 */
export const connectLocalChains = (setting: string | undefined): LocalChains =>
  setting === undefined ? {} : localChainsSchema.parse(setting)
