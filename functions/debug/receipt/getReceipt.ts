import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { selectBlocks } from '#schema/queries/chain/blocks.ts'
import { selectDebugReport } from '#schema/queries/debug/debugReport.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { addressSchema, bytesSchema, orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { completeReport } from '../archive/completeReport.ts'
import type { FindArchived } from '../archive/connectArchive.ts'
import { signReceipt } from './signReceipt.ts'
import { receiptSchema, toReceipt } from './toReceipt.ts'

export type ReceiptDeps = NetworkDatabase & {
  archive: FindArchived
  /** whether a competition is public only after its deadline */
  hideBeforeDeadline: boolean
  /** signs receipts; undefined: they are not signed */
  privateKey: Hex | undefined
}

const signedReceiptSchema = z.object({
  receipt: receiptSchema,
  signature: z
    .object({
      signer: addressSchema,
      message: z.string().openapi({
        description:
          'the signed text; it ends with the keccak-256 of the receipt as JSON with sorted keys and without spaces (RFC 8785)',
      }),
      signature: bytesSchema(65),
    })
    .nullable()
    .openapi({ description: 'by EIP-191; null: this deployment does not sign receipts' }),
})

const getReceiptRoute = createRoute({
  ...endpoint('getReceipt'),
  tags: ['Orders'],
  summary: 'Receipt of an order',
  description:
    'What the order was promised and what it got: quote, limit, fills with their fees, gas, winner, runner-up and reference prices. `examples/receipt.ts` recomputes every number from the chain and the competition.',
  request: { params: z.object({ uid: orderUidInputSchema }) },
  responses: {
    200: { description: 'the receipt', content: { 'application/json': { schema: signedReceiptSchema } } },
    ...errorResponses('InvalidParameter', 'OrderNotFound', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/orders/{uid}/receipt` */
export const getReceipt = ({ database, chainId, archive, hideBeforeDeadline, privateKey }: ReceiptDeps) =>
  createApp().openapi(getReceiptRoute, async (c) => {
    const { uid } = c.req.valid('param')
    const stored = await selectDebugReport(database, chainId, uid)
    if (!stored) throw new ApiError('OrderNotFound', { data: { uid } })
    const { order, facts } = await completeReport(stored, archive)
    const blocks = hideBeforeDeadline ? await selectBlocks(database, chainId) : []
    const head = Math.max(0, ...blocks.map((block) => block.number))
    const receipt = toReceipt(chainId, order, facts, (deadline) => hideBeforeDeadline && deadline > head)
    return c.json({ receipt, signature: privateKey ? await signReceipt(receipt, privateKey) : null }, 200)
  })
