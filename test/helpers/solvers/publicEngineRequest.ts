import { z } from 'zod'

/**
 * Body of POST `solve` as engines of the public system parse it, in its strict types: an order in another form makes the
 * engine refuse the whole auction. https://github.com/cowprotocol/services/blob/main/crates/solvers-dto/src/auction.rs
 */
const bytes = (length: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${2 * length}}$`))
const address = bytes(20)
const data = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)
const isBelow = (bits: bigint) => (text: string) => BigInt(text) < 2n ** bits
const uint = (bits: bigint) => z.string().regex(/^\d+$/).refine(isBelow(bits))
const uint256 = uint(256n)
const int32 = z
  .number()
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1)
const isInt128 = (text: string) => BigInt(text) >= -(2n ** 127n) && BigInt(text) < 2n ** 127n
const decimal = z.string().regex(/^\d+(\.\d+)?$/)
const call = z.object({ target: address, value: uint256, callData: data })

const order = z.object({
  ...{ uid: bytes(56), sellToken: address, buyToken: address, owner: address, receiver: address.optional() },
  ...{ sellAmount: uint256, fullSellAmount: uint256, buyAmount: uint256, fullBuyAmount: uint256 },
  ...{ validTo: z.number().int().min(0).max(0xffff_ffff), kind: z.enum(['sell', 'buy']) },
  ...{ partiallyFillable: z.boolean(), preInteractions: z.array(call), postInteractions: z.array(call) },
  sellTokenSource: z.enum(['erc20', 'external', 'internal']),
  buyTokenDestination: z.enum(['erc20', 'internal']),
  ...{ class: z.enum(['market', 'limit']), appData: bytes(32), signature: data },
  signingScheme: z.enum(['eip712', 'ethsign', 'presign', 'eip1271']),
})

const pool = { id: z.string(), address, router: address, gasEstimate: uint256, fee: decimal }
const liquidity = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('constantProduct'), ...pool, tokens: z.record(address, z.object({ balance: uint256 })) }),
  z.object({
    kind: z.literal('concentratedLiquidity'),
    ...{ ...pool, tokens: z.tuple([address, address]), sqrtPrice: uint256, liquidity: uint(128n), tick: int32 },
    liquidityNet: z.record(
      z.string().regex(/^-?\d{1,7}$/),
      z
        .string()
        .regex(/^-?\d+$/)
        .refine(isInt128),
    ),
  }),
])

export const publicEngineRequestSchema = z.object({
  id: z.string().regex(/^\d+$/).refine(isBelow(63n)).nullable(),
  tokens: z.record(
    address,
    z.object({
      ...{ decimals: z.number().int().min(0).max(255).nullable(), symbol: z.string().nullable() },
      ...{ referencePrice: uint256.nullable(), availableBalance: uint256, trusted: z.boolean() },
    }),
  ),
  ...{ orders: z.array(order), liquidity: z.array(liquidity), effectiveGasPrice: uint256 },
  ...{ deadline: z.iso.datetime({ offset: true }), surplusCapturingJitOrderOwners: z.array(address) },
})
