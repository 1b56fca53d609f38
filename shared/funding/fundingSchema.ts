import { z } from '@hono/zod-openapi'
import { typedDomainSchema, typedMembersSchema } from '../signing/typedDomain.ts'
import { amountTextSchema } from '../validation/chainValues.ts'

const callSchema = z
  .object({ to: z.string(), data: z.string(), value: amountTextSchema.openapi({ description: 'wei' }) })
  .openapi('Call', { description: 'a call of eth_sendTransaction or wallet_sendCalls (EIP-5792)' })

const permitSchema = z
  .object({
    type: z.literal('permit'),
    typedData: z
      .object({
        domain: typedDomainSchema,
        types: z.object({ EIP712Domain: typedMembersSchema, Permit: typedMembersSchema }),
        primaryType: z.literal('Permit'),
        message: z.object({
          owner: z.string(),
          spender: z.string(),
          value: amountTextSchema,
          nonce: amountTextSchema,
          deadline: amountTextSchema,
        }),
      })
      .openapi({ description: 'the argument of eth_signTypedData_v4 (EIP-2612)' }),
    hook: z.object({ target: z.string(), callData: z.string(), gasLimit: z.string() }).openapi({
      description:
        'append v, r and s of the signature to callData, 32 bytes each, add the hook to metadata.hooks.pre of the app data, and request a quote with that document',
    }),
  })
  .openapi('PermitStep')

const stepSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('acquire'),
      token: z.string(),
      amount: amountTextSchema.openapi({ description: 'atoms that the owner lacks' }),
    }),
    z.object({ type: z.literal('wrap'), call: callSchema }),
    permitSchema,
    z.object({
      type: z.literal('approve'),
      calls: z.array(callSchema).min(1).max(2).openapi({
        description: 'two for a token that changes an approval only after a reset to 0',
      }),
    }),
    z.object({ type: z.literal('sign') }).openapi({ description: 'sign the order' }),
    z.object({ type: z.literal('presign'), call: callSchema }).openapi({
      description: 'sign the order by a transaction of the owner, after it is placed',
    }),
  ])
  .openapi('FundingStep')

export const fundingSchema = z
  .object({
    token: z.string(),
    spender: z.string().openapi({ description: 'the vault relayer, which the owner approves' }),
    balance: amountTextSchema.openapi({ description: 'of the owner after the pre-hooks, sell token atoms' }),
    allowance: amountTextSchema.openapi({ description: 'of the spender after the pre-hooks, sell token atoms' }),
    needed: amountTextSchema.openapi({
      description: 'sell token atoms that the order, or all that is left of it, requires of both',
    }),
    steps: z.array(stepSchema).openapi({
      description: 'what the owner does next, in this order. A permit replaces an approval and costs the owner no gas',
    }),
    calls: z.array(callSchema).openapi({
      description: 'the same by transactions alone, in this order, as one batch of wallet_sendCalls or one by one',
    }),
  })
  .openapi('Funding', {
    description:
      "the owner's funds for the order, and the steps until it can be placed; null: the owner is unknown, the quote is fast, or the node returns no balances",
  })

export type Funding = z.infer<typeof fundingSchema>
export type FundingStep = Funding['steps'][number]
export type FundingCall = Funding['calls'][number]
