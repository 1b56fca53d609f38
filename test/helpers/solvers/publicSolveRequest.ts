import { z } from 'zod'

/**
 * Body of POST `solve` as drivers of the public system parse it. Unknown fields are ignored there, missing ones and
 * other forms make the driver refuse the whole body.
 */
const bytes = (length: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${2 * length}}$`))
const address = bytes(20)
const data = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)
const isBelow = (bits: bigint) => (text: string) => BigInt(text) < 2n ** bits
const uint256 = z
  .string()
  .regex(/^(\d+|0x[0-9a-fA-F]+)$/)
  .refine(isBelow(256n))
const uint32 = z.number().int().min(0).max(0xffff_ffff)
const int64 = z.string().regex(/^\d+$/).refine(isBelow(63n))
/** of fee policies */
const share = z.number().min(0).lt(1)

const quote = z.object({ sellAmount: uint256, buyAmount: uint256, fee: uint256, solver: address })
const interaction = z.object({ target: address, value: uint256, callData: data })

const feePolicy = z.union([
  z.strictObject({ surplus: z.object({ factor: share, maxVolumeFactor: share }) }),
  z.strictObject({ priceImprovement: z.object({ factor: share, maxVolumeFactor: share, quote }) }),
  z.strictObject({ volume: z.object({ factor: share }) }),
])

const order = z.object({
  ...{ uid: bytes(56), sellToken: address, buyToken: address, sellAmount: uint256, buyAmount: uint256 },
  ...{ protocolFees: z.array(feePolicy), created: uint32, validTo: uint32, kind: z.enum(['sell', 'buy']) },
  ...{ receiver: address.nullish(), owner: address, partiallyFillable: z.boolean(), executed: uint256 },
  ...{ preInteractions: z.array(interaction), postInteractions: z.array(interaction) },
  sellTokenBalance: z.enum(['erc20', 'internal', 'external']).optional(),
  buyTokenBalance: z.enum(['erc20', 'internal']).optional(),
  ...{ class: z.enum(['market', 'limit']), appData: bytes(32) },
  signingScheme: z.enum(['eip712', 'ethsign', 'presign', 'eip1271']),
  ...{ signature: data, quote: quote.nullish() },
  // parsed by newer drivers, ignored by others
  flashloanHint: z
    .object({
      ...{ liquidityProvider: address, protocolAdapter: address, receiver: address, token: address },
      amount: uint256,
    })
    .nullish(),
  wrappers: z.array(z.object({ address, data, isOmittable: z.boolean() })).optional(),
})

export const publicSolveRequestSchema = z.object({
  id: int64,
  tokens: z.array(z.object({ address, price: uint256.nullable(), trusted: z.boolean() })),
  orders: z.array(order),
  deadline: z.iso.datetime({ offset: true }),
  surplusCapturingJitOrderOwners: z.array(address).optional(),
})
