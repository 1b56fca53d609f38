import type { Plugin } from 'esbuild'
import { readNetworks } from '#shared/networks/readNetworks.ts'
import { findOperatorNetworks } from '../../networks/findOperatorNetworks.ts'

/**
 * Embeds the shipped networks and the operator's as they are read, without their schemas, which no Worker needs then.
 */
export const embedNetworks: Plugin = {
  name: 'embed-networks',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]shared[/\\]networks[/\\]readNetworks\.ts$/ }, () => {
      const networks = JSON.stringify(readNetworks(findOperatorNetworks()))
      return { contents: `export const readNetworks = () => JSON.parse(${JSON.stringify(networks)})` }
    }),
}
