import { z } from 'zod'
import type { JsonObject, JsonValue } from '#shared/jsonObject.ts'

/** An address as the order book spells it. */
const address = z.string().transform((text) => text.toLowerCase())

const requestSchema = z.object({
  from: address,
  receiver: address,
  sellToken: address,
  buyToken: address,
  kind: z.string(),
  signingScheme: z.string().default('eip712'),
})

const termsSchema = z.looseObject({
  receiver: address,
  sellToken: address,
  buyToken: address,
  kind: z.string(),
})

const quoteSchema = z.object({
  id: z.number().nullable(),
  expiration: z.string(),
  from: address,
  verified: z.boolean(),
  amounts: z.unknown(),
  funding: z.unknown().optional(),
  signable: z
    .object({
      order: termsSchema,
      fullAppData: z.string().nullable(),
      typedData: z.looseObject({ message: termsSchema }),
      orderUid: z.string().nullable(),
    })
    .nullable(),
})

/**
 * The order to sign of a quote, and the request that places it, with `signature` left open.
 * @param request the body of the quote request
 * @param path of `POST orders`
 * @returns undefined unless owner, receiver, tokens and kind of both the order and the typed data are those requested
 */
export const buildSigningRequest = (request: unknown, quote: JsonValue, path: string): JsonObject | undefined => {
  const terms = requestSchema.safeParse(request)
  const read = quoteSchema.safeParse(quote)
  if (!terms.success || !read.success || !read.data.signable) return undefined
  const { signable, ...quoted } = read.data
  const { from, signingScheme, ...pinned } = terms.data
  const isPinned = (order: z.output<typeof termsSchema>) =>
    (Object.keys(pinned) as (keyof typeof pinned)[]).every((name) => order[name] === pinned[name])
  if (quoted.from !== from || !isPinned(signable.order) || !isPinned(signable.typedData.message)) return undefined
  const body = {
    ...signable.order,
    ...(signable.fullAppData === null ? {} : { fullAppData: signable.fullAppData }),
    ...(quoted.id === null ? {} : { quoteId: quoted.id }),
    from,
    signingScheme,
    signature: null,
  }
  return {
    expiration: quoted.expiration,
    verified: quoted.verified,
    amounts: quoted.amounts as JsonValue,
    orderUid: signable.orderUid,
    funding: (quoted.funding ?? null) as JsonValue,
    typedData: signable.typedData as JsonObject,
    place: { method: 'POST', path, body: body as JsonObject },
  }
}
