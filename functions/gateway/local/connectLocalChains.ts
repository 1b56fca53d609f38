import { z } from 'zod'
import { type NetworkName, networkNames } from '#shared/networks.ts'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'

/** URLs of local nodes, by network; any client may use their accounts. */
export type LocalChains = Partial<Record<NetworkName, string>>

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Whether the host of a URL is this machine without a DNS lookup. */
export const isLoopbackHost = (hostname: string): boolean => loopback.has(hostname)

const isLoopback = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname) && url.username === ''
}

const loopbackUrlSchema = z.string().refine(isLoopback, 'only a node of this machine: http://127.0.0.1:8545')

const localChainsSchema = jsonTextSchema.pipe(z.partialRecord(z.enum(networkNames), loopbackUrlSchema))

/**
 * The setting `LOCAL_RPC_URLS` of local stacks, network name → URL. Its nodes have unlocked accounts that every client
 * of the gateway may use.
 * @throws ZodError when it is malformed or has a remote URL: the gateway must not start
 */
export const connectLocalChains = (setting: string | undefined): LocalChains =>
  setting === undefined ? {} : localChainsSchema.parse(setting)
