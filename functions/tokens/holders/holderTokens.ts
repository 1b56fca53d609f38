import type { Address } from 'viem'
import { z } from 'zod'
import { type NetworkName, networkNames } from '#shared/networks.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'

/** Start blocks of the tokens with an own holder index. */
export type HolderTokens = ReadonlyMap<NetworkName, ReadonlyMap<Address, number>>

const tokensSchema = z.partialRecord(z.enum(networkNames), z.record(addressSchema, z.number().int().min(0)))

/** The setting `HOLDER_TOKENS`: start blocks by network and token, `{"sepolia":{"0x…":0}}`. */
export const holderTokensSchema = jsonTextSchema
  .pipe(tokensSchema)
  .transform(
    (networks): HolderTokens =>
      new Map(
        Object.entries(networks).map(([name, tokens]) => [
          name as NetworkName,
          new Map(Object.entries(tokens) as [Address, number][]),
        ]),
      ),
  )
