import { createRoute, z } from '@hono/zod-openapi'
import { type Hex, keccak256, stringToBytes } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import type { Network } from '#shared/networks.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { addressSchema, hashSchema } from '#shared/validation/chainValues.ts'
import { bundleRequestSchema } from './bundleRequest.ts'
import { computeBalanceDiffs, maxReportedChanges } from './computeBalanceDiffs.ts'
import { findStateDiffs, type SlotDiff } from './findStateDiffs.ts'
import { BundleError, type BundleTransaction, findNewestBlock, simulateBundle } from './simulateBundle.ts'

export type SimulateBundleDeps = {
  /** rejects when the network is not served */
  findRpcUrl: (network: Network) => string
}

const timeoutMs = 5_000

const slotSchema = z.object({ address: addressSchema, key: hashSchema, original: hashSchema, dirty: hashSchema })

const simulationSchema = z
  .object({
    status: z.boolean().openapi({ description: 'whether the transaction succeeds' }),
    id: hashSchema.openapi({ description: 'equal for equal transactions on the same block' }),
    link: z.null().openapi({ description: 'always null: there is no web page of the simulation' }),
    cumulativeBalancesDiff: z.record(z.string(), z.record(z.string(), z.string().regex(/^-?\d+$/))).openapi({
      description:
        'holder → token → change in atoms since before the first transaction, from token events; the native token is 0xeeee…',
    }),
    stateDiff: z
      .array(
        z.object({
          address: addressSchema,
          soltype: z.null().openapi({ description: 'always null: nodes do not know variable names' }),
          original: z.null(),
          dirty: z.null(),
          raw: z.array(slotSchema),
        }),
      )
      .optional()
      .openapi({ description: 'storage changes since before the first transaction' }),
    stateDiffMissing: z
      .enum(['nodeCannotTrace', 'nodeUnavailable', 'timeout', 'tooMuch'])
      .optional()
      .openapi({ description: 'why stateDiff is missing' }),
    gasUsed: z.string().regex(/^\d+$/).openapi({ description: 'units of gas' }),
  })
  .openapi('BundleSimulation')

const postSimulateBundleRoute = createRoute({
  ...endpoint('postSimulateBundle'),
  tags: ['Markets'],
  summary: 'Simulate transactions',
  description:
    'Runs transactions in sequence on the newest block without sending them. Any account can be the sender; gas is free.',
  request: {
    params: z.object({ chainId: chainParamSchema }),
    body: {
      content: {
        'application/json': {
          schema: bundleRequestSchema,
          example: [
            {
              from: exampleValues.account,
              to: exampleValues.pair.sellToken,
              input: '0xd0e30db0',
              value: '1000000000000000',
            },
          ],
        },
      },
      required: true,
    },
  },
  responses: {
    200: {
      description: 'in the order of the transactions',
      content: { 'application/json': { schema: z.array(simulationSchema) } },
    },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable', 'UnsupportedMediaType'], {
      InvalidParameter:
        'malformed request; `Build simulation error`: the node rejects the transactions, for example because a sender lacks the value; or they change more balances than a response can contain',
      ServiceUnavailable: 'the node fails, exceeds the time limit, or does not support `eth_simulateV1`',
    }),
  },
})

/** `POST /{chainId}/simulation/simulateBundle` */
export const postSimulateBundle = (deps: SimulateBundleDeps) =>
  createApp(auxiliaryFormat).openapi(postSimulateBundleRoute, async (c) => {
    const { chainId: network } = c.req.valid('param')
    const transactions = c.req.valid('json')
    const rpcUrl = deps.findRpcUrl(network)
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const block = await findNewestBlock(rpcUrl, signal)
      const simulated = await simulateBundle(rpcUrl, transactions, block, signal)
      const balances = computeBalanceDiffs(
        simulated.map(({ logs }) => logs),
        network.wrappedNative,
      )
      if (!balances) throw refuseChanges()
      const state = await findStateDiffs(rpcUrl, transactions, block, signal)
      const ids = computeIds(network, block, transactions)
      return c.json(
        simulated.map(({ succeeded, gasUsed }, i) => ({
          status: succeeded,
          id: ids[i] ?? '0x',
          link: null,
          cumulativeBalancesDiff: balances[i] ?? {},
          ...(state.status === 'found'
            ? { stateDiff: toStateDiff(state.slots[i] ?? []) }
            : { stateDiffMissing: state.status }),
          gasUsed: gasUsed.toString(),
        })),
        200,
      )
    } catch (error) {
      if (error instanceof BundleError) throw toApiError(error)
      throw error
    }
  })

/**
 * Ids of the transactions: each hashes its transaction and the previous id, and thus the block and all earlier
 * transactions.
 */
const computeIds = ({ chainId }: Network, block: Hex, transactions: readonly BundleTransaction[]): Hex[] => {
  let id: Hex = keccak256(stringToBytes(JSON.stringify([chainId, block])))
  return transactions.map(({ from, to, input, value, gas }) => {
    id = keccak256(stringToBytes(JSON.stringify([id, from, to, input, `${value}`, `${gas}`])))
    return id
  })
}

const refuseChanges = () =>
  new ApiError('InvalidParameter', {
    description: 'the transactions change more balances than a response can contain',
    data: { max: maxReportedChanges },
  })

const toStateDiff = (slots: readonly SlotDiff[]) =>
  [...Map.groupBy(slots, ({ address }) => address)].map(([address, raw]) => ({
    address,
    soltype: null,
    original: null,
    dirty: null,
    raw,
  }))

const toApiError = ({ reason, code }: BundleError): ApiError => {
  const data: JsonObject = code === undefined ? {} : { code }
  switch (reason) {
    case 'refused':
      return new ApiError('InvalidParameter', { description: 'Build simulation error', data })
    case 'nodeCannotSimulate':
      return new ApiError('ServiceUnavailable', {
        description: 'the node of this network does not support eth_simulateV1',
        data: { method: 'eth_simulateV1', retryable: false },
      })
    case 'timeout':
      return new ApiError('ServiceUnavailable', {
        description: 'the simulation exceeded its time limit',
        data: { timeoutMs, retryable: true },
      })
    case 'nodeUnavailable':
      return new ApiError('ServiceUnavailable', { data: { dependency: 'chain', retryable: true, ...data } })
  }
}
