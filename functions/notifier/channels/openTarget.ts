import { z } from 'zod'
import { requestProvider } from '#shared/http/requestProvider.ts'
import { checkTarget, TargetError } from '#shared/notifications/checkTarget.ts'
import { isPublicAddress } from '#shared/notifications/isPublicAddress.ts'

export type TargetSettings = {
  /** DNS resolver over HTTPS with JSON responses */
  dnsUrl: string
  /** allows any target, and skips the DNS lookup */
  allowPrivate: boolean
}

const timeoutMs = 3_000
const maxBytes = 64 * 1024
const recordTypes = { A: 1, AAAA: 28 } as const
const noSuchName = 3

const responseSchema = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).default([]),
})

/**
 * Checks an untrusted target URL: all addresses of its name must currently be public. Call it right before each connection.
 * `fetch` cannot pin an address, so the name may still change before the connection; https bounds that, because a server
 * without a certificate for the name receives no request.
 * @throws TargetError with a message for the owner of the target
 */
export const openTarget = async (address: string, { dnsUrl, allowPrivate }: TargetSettings): Promise<URL> => {
  const url = checkTarget(address, { allowPrivate })
  if (allowPrivate || isLiteral(url.hostname)) return url
  const found = (
    await Promise.all([resolveName(dnsUrl, url.hostname, 'A'), resolveName(dnsUrl, url.hostname, 'AAAA')])
  ).flat()
  if (found.length === 0) throw new TargetError('its name has no address')
  if (!found.every(isPublicAddress)) throw new TargetError('its name has a non-public address')
  return url
}

/** Literal addresses are checked by `checkTarget`. */
const isLiteral = (hostname: string): boolean => hostname.startsWith('[') || /^[\d.]+$/.test(hostname)

const resolveName = async (dnsUrl: string, name: string, type: keyof typeof recordTypes): Promise<string[]> => {
  const url = new URL(dnsUrl)
  url.searchParams.set('name', name)
  url.searchParams.set('type', type)
  const request = new Request(url, { headers: { Accept: 'application/dns-json' } })
  const outcome = await requestProvider(request, { timeoutMs, maxBytes })
  const parsed = responseSchema.safeParse(outcome.status === 'answered' ? outcome.body : undefined)
  if (!parsed.success || ![0, noSuchName].includes(parsed.data.Status))
    throw new TargetError('its name could not be resolved')
  return parsed.data.Answer.filter((record) => record.type === recordTypes[type]).map(({ data }) => data)
}
