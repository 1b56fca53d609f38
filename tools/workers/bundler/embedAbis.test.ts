import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { embedAbis } from './embedAbis.ts'
import { embedNetworks } from './embedNetworks.ts'

const repository = join(import.meta.dirname, '../../..')

/** The exports of a module as a bundle contains it. */
const bundle = async (path: string): Promise<{ text: string; exports: Record<string, unknown> }> => {
  const { outputFiles } = await build({
    entryPoints: [join(repository, path)],
    ...{ write: false, bundle: true, format: 'esm', plugins: [embedNetworks, embedAbis] },
  })
  const text = outputFiles[0]?.text ?? ''
  return { text, exports: { ...(await import(`data:text/javascript,${encodeURIComponent(text)}`)) } }
}

test.each([
  'shared/chain/settlementAbi.ts',
  'shared/chain/erc20Abi.ts',
  'shared/chain/hooksTrampolineAbi.ts',
  'functions/auctions/indexing/placements/onchainOrdersAbi.ts',
  'functions/solver/pools/uniswapV3Abi.ts',
])('the interfaces of %s are embedded as they are parsed', async (path) => {
  const { text, exports } = await bundle(path)
  expect(exports).toEqual({ ...(await import(join(repository, path))) })
  expect(text).not.toContain('parseAbi')
})

test('the networks are embedded as they are read, without their schemas', async () => {
  const { text, exports } = await bundle('shared/networks.ts')
  expect(exports.networks).toEqual(networks)
  expect(text).not.toContain('strictObject')
})
