import { createRoute, z } from '@hono/zod-openapi'
import type { Address, Hex } from 'viem'
import type { Database } from '#schema/client.ts'
import { type AffiliateConflict, insertAffiliate } from '#schema/queries/affiliate/affiliates.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { recoverSigner } from '#shared/signing/recoverSigner.ts'
import { affiliateCodeTextSchema, normalizeAffiliateCode } from '#shared/validation/affiliateCode.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { computeAffiliateDigest } from './computeAffiliateDigest.ts'
import type { ProgramTerms } from './program.ts'

export type PostAffiliateDeps = {
  /** the signing domain is `<serviceName> Affiliate` */
  serviceName: string
  terms: ProgramTerms
  /** rejects with an ApiError when the node fails */
  isWalletSignature: (claim: { wallet: Address; digest: Hex; signature: Hex }) => Promise<boolean>
  /** throws an ApiError while the program is switched off */
  findDatabase: () => Database
}

const ecdsaLength = 2 + 2 * 65
/** half of the order of secp256k1 */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
/** Room for the deployment data of an ERC-6492 signature. */
const maxSignatureBytes = 7_000

const registrationSchema = z
  .object({
    walletAddress: addressSchema,
    code: affiliateCodeTextSchema.openapi({
      description: 'the signature covers this text as sent; it is stored trimmed and in capitals',
    }),
    signedMessage: z
      .string()
      .min(1)
      .max(2 + 2 * maxSignatureBytes)
      .openapi({
        description:
          'EIP-712 signature of AffiliateCode { walletAddress, code, chainId: 1 } by the wallet, as hex; code is exactly the text of this request. `GET /affiliate/typed-data` has domain and types',
      }),
  })
  .openapi('AffiliateRegistration')

const postAffiliateRoute = createRoute({
  ...endpoint('postAffiliate'),
  tags: ['Affiliates'],
  summary: 'Bind a code to a wallet',
  description:
    'Permanent: a wallet has one code. The wallet signs the code by EIP-712: keys by ECDSA, contracts by ERC-1271, undeployed contracts by ERC-6492, always on Ethereum mainnet.',
  request: {
    params: z.object({ walletAddress: addressSchema.openapi({ example: exampleValues.account }) }),
    body: {
      content: {
        'application/json': {
          schema: registrationSchema,
          example: {
            walletAddress: exampleValues.account,
            code: 'EXAMPLE-CODE',
            signedMessage: exampleValues.signature,
          },
        },
      },
      required: true,
    },
  },
  responses: {
    201: {
      description: 'the code is registered',
      content: {
        'application/json': { schema: z.object({ code: z.string(), createdAt: z.iso.datetime() }) },
      },
    },
    ...messageResponses(
      ['Conflict', 'InvalidParameter', 'ServiceUnavailable', 'Unauthorized', 'UnsupportedMediaType'],
      {
        Conflict: '`Affiliate wallet address already bound to a code` or `Affiliate code already taken`',
        InvalidParameter: '`Affiliate wallet address mismatch`, or a malformed field',
        Unauthorized: '`Affiliate has invalid signature`; `data` has the expected digest and the recovered signer',
      },
    ),
  },
})

/** `POST /affiliate/{walletAddress}` */
export const postAffiliate = (deps: PostAffiliateDeps) =>
  createApp(auxiliaryFormat).openapi(postAffiliateRoute, async (c) => {
    const { walletAddress, code: codeText, signedMessage } = c.req.valid('json')
    if (walletAddress !== c.req.valid('param').walletAddress) {
      throw new ApiError('InvalidParameter', { description: 'Affiliate wallet address mismatch' })
    }
    const digest = computeAffiliateDigest(deps.serviceName, walletAddress, codeText)
    const signature = readSignature(signedMessage, walletAddress, digest)
    const code = normalizeAffiliateCode(codeText)
    const database = deps.findDatabase()
    if (!(await deps.isWalletSignature({ wallet: walletAddress, digest, signature }))) {
      throw refuseSignature(walletAddress, digest, signature)
    }
    const outcome = await insertAffiliate(database, {
      walletAddress,
      code,
      signedMessage: signature,
      signedMessageHash: digest,
      ...deps.terms,
    })
    if (outcome.conflict) throw new ApiError('Conflict', { description: conflictMessages[outcome.conflict] })
    return c.json({ code, createdAt: outcome.createdAt.toISOString() }, 201)
  })

const conflictMessages: Record<AffiliateConflict, string> = {
  wallet: 'Affiliate wallet address already bound to a code',
  code: 'Affiliate code already taken',
  signature: 'Affiliate signature already used',
}

const readSignature = (text: string, wallet: Address, digest: Hex): Hex => {
  const signature = text.toLowerCase() as Hex
  if (!/^0x([0-9a-f]{2})+$/.test(signature) || isMalleated(wallet, digest, signature)) {
    throw refuseSignature(wallet, digest, signature)
  }
  return signature
}

/** Whether an ECDSA signature is the second form of one with a lower `s`, which wallets produce (EIP-2). */
const isMalleated = (wallet: Address, digest: Hex, signature: Hex): boolean =>
  signature.length === ecdsaLength &&
  BigInt(`0x${signature.slice(66, 130)}`) > maxS &&
  recoverSigner('eip712', digest, signature).signer === wallet

/** @param digest what the wallet should have signed; the recovered signer of another message is a random address */
const refuseSignature = (wallet: Address, digest: Hex, signature: Hex) =>
  new ApiError('Unauthorized', {
    description: 'Affiliate has invalid signature',
    data: { wallet, digest, signer: recoverSigner('eip712', digest, signature).signer ?? null },
  })
