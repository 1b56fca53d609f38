import { useEffect, useRef } from 'preact/hooks'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { localRdns } from '../useLocalAccounts.ts'
import type { Connection } from './openConnection.ts'

/** A local account belongs to the node of one network, so it is left with that network. */
export const useNetworkChange = (
  { name }: Network,
  connection: Connection | null,
  connectTo: (connection: Connection | null) => void,
): void => {
  const before = useRef(name)
  useEffect(() => {
    if (before.current !== name && connection?.choice.rdns === localRdns) connectTo(null)
    before.current = name
  }, [name, connection, connectTo])
}
