import { z } from 'zod'
import { checkTarget, TargetError } from '#shared/notifications/checkTarget.ts'
import { isPublicAddress } from '#shared/notifications/isPublicAddress.ts'
import { askProvider } from '#shared/providers/askProvider.ts'

export type TargetSettings = {
  /** resolver that answers in JSON over HTTPS */
  dnsUrl: string
  /** sends anywhere, and asks nobody for addresses */
  allowPrivate: boolean
}

const timeoutMs = 3_000
const maxBytes = 64 * 1024
const recordTypes = { A: 1, AAAA: 28 } as const
const noSuchName = 3

const answerSchema = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).default([]),
})

/**
 * The URL of a target that a stranger chose, when all addresses that its name has at this moment are public. Call it right before
 * each connection. `fetch` cannot pin an address, so a name may still change before it connects; https bounds that: a service
 * without a certificate for the name gets no request.
 * @throws TargetError for the owner of the target
 */
export const openTarget = async (address: string, { dnsUrl, allowPrivate }: TargetSettings): Promise<URL> => {
  const url = checkTarget(address, { allowPrivate })
  if (allowPrivate || isLiteral(url.hostname)) return url
  const found = (
    await Promise.all([resolveName(dnsUrl, url.hostname, 'A'), resolveName(dnsUrl, url.hostname, 'AAAA')])
  ).flat()
  if (found.length === 0) throw new TargetError('its name has no address')
  if (!found.every(isPublicAddress)) throw new TargetError('its name has an address that is not public')
  return url
}

/** An address in place of a name was judged by `checkTarget`. */
const isLiteral = (hostname: string): boolean => hostname.startsWith('[') || /^[\d.]+$/.test(hostname)

const resolveName = async (dnsUrl: string, name: string, type: keyof typeof recordTypes): Promise<string[]> => {
  const url = new URL(dnsUrl)
  url.searchParams.set('name', name)
  url.searchParams.set('type', type)
  const request = new Request(url, { headers: { Accept: 'application/dns-json' } })
  const asked = await askProvider(request, { timeoutMs, maxBytes })
  const parsed = answerSchema.safeParse(asked.status === 'answered' ? asked.body : undefined)
  if (!parsed.success || ![0, noSuchName].includes(parsed.data.Status))
    throw new TargetError('its name could not be resolved')
  return parsed.data.Answer.filter((record) => record.type === recordTypes[type]).map(({ data }) => data)
}
