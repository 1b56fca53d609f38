import { z } from 'zod'
import { addressSchema } from '../validation/chainValues.ts'
import contractSets from './contractSets.json' with { type: 'json' }
import { multicall3Address } from './multicall3Address.ts'
import { noContract } from './noContract.ts'

const contractAddresses = z.strictObject({
  settlement: addressSchema,
  vaultRelayer: addressSchema,
  hooksTrampoline: addressSchema.default(noContract),
  ethFlow: addressSchema.default(noContract),
  composableCow: addressSchema.default(noContract),
  multicall3: addressSchema.default(multicall3Address),
})

/** A public set by name, or the operator's own addresses, as `npm run contracts` writes them. */
const contractsSchema = z.union([z.enum(['canonical', 'staging']), contractAddresses], {
  error: '`canonical`, `staging`, or an object with `settlement`, `vaultRelayer`, `hooksTrampoline` and `ethFlow`',
})

/** One network, as in the JSON files beside this one. docs/networks.md describes each field. */
const entrySchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, 'lower-case letters, digits and underscores'),
  label: z.string().min(1),
  chainId: z.number().int().positive(),
  aliases: z.array(z.string().regex(/^[a-z][a-z0-9_-]*$/, 'lower-case letters, digits, - and _')).default([]),
  nativeSymbol: z.string().min(1),
  wrappedNative: addressSchema,
  /** absent until `npm run contracts` has written the setting */
  contracts: contractsSchema.default({
    settlement: noContract,
    vaultRelayer: noContract,
    hooksTrampoline: noContract,
    ethFlow: noContract,
    composableCow: noContract,
    multicall3: multicall3Address,
  }),
  uniswapV2Factory: addressSchema.default(noContract),
  uniswapV3: z
    .strictObject({ factory: addressSchema, router: addressSchema })
    .default({ factory: noContract, router: noContract }),
  usdReference: z.strictObject({ address: addressSchema, decimals: z.number().int().min(0).max(77) }),
  blockTimeSeconds: z.number().positive(),
  finality: z
    .strictObject({ safeBlocks: z.number().int().positive(), finalBlocks: z.number().int().positive() })
    .refine(({ safeBlocks, finalBlocks }) => safeBlocks <= finalBlocks, 'safeBlocks is above finalBlocks')
    .default({ safeBlocks: 32, finalBlocks: 96 }),
  dataFee: z.enum(['none', 'optimism', 'arbitrum']).default('none'),
  explorerUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
})

/** The facts of a network with its contracts resolved. */
type ResolvedNetwork = Omit<z.infer<typeof entrySchema>, 'contracts'> & {
  /** a public set of the protocol, whose contracts other order books use too, or the operator's own */
  contractSet: 'canonical' | 'staging' | 'own'
  settlementContract: ContractAddresses['settlement']
  /** contract that owners approve to move their sell tokens */
  vaultRelayer: ContractAddresses['vaultRelayer']
  /** contract that runs the hooks of orders, called by the settlement contract */
  hooksTrampoline: ContractAddresses['hooksTrampoline']
  /** contract that places on-chain orders for senders of the native token */
  ethFlow: ContractAddresses['ethFlow']
  /** registry of conditional orders; the zero address: none */
  composableCow: ContractAddresses['composableCow']
  /** bundles reads; at its public address where the chain has it there */
  multicall3: ContractAddresses['multicall3']
}

type ContractAddresses = z.infer<typeof contractAddresses>

/**
 * Reads one entry.
 * @throws Error naming the network and the wrong fields
 */
export const readNetworkEntry = (name: string, entry: unknown): ResolvedNetwork => {
  const parsed = entrySchema.safeParse(entry)
  if (!parsed.success) throw new Error(`network ${name}: ${parsed.error.issues.map(describeIssue).join(', ')}`)
  if (parsed.data.name !== name) throw new Error(`network ${name}: its name is ${parsed.data.name}`)
  const { contracts, ...facts } = parsed.data
  const { settlement, ...others } = typeof contracts === 'string' ? findSet(contracts, facts.chainId) : contracts
  const contractSet = typeof contracts === 'string' ? contracts : 'own'
  return { ...facts, contractSet, settlementContract: settlement, ...others }
}

const describeIssue = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys'
    ? `unknown field ${issue.keys.join(', ')}`
    : `${issue.path.join('.')}: ${issue.message}`

const findSet = (name: 'canonical' | 'staging', chainId: number): ContractAddresses => {
  const { exceptions, ...addresses } = contractSets[name]
  const own = (exceptions as Record<string, Partial<ContractAddresses>>)[chainId]
  return contractAddresses.parse({ ...addresses, ...own })
}
