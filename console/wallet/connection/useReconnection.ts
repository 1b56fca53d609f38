import { useRef } from 'preact/hooks'
import { useOnChange } from '../../ui/useOnChange.ts'
import type { WalletChoice } from '../ethereumProvider.ts'
import { readLastWallet } from '../lastWallet.ts'
import { type Connection, openConnection } from './openConnection.ts'

/**
 * Reconnects the last wallet once it announces itself, unless the user has chosen one before.
 * @param newest attempt, 0 before the first one
 */
export const useReconnection = (
  choices: WalletChoice[],
  newest: { readonly current: number },
  connectTo: (connection: Connection) => void,
): void => {
  const isDone = useRef(false)
  // every render has a new list of choices; their number only grows
  useOnChange(() => {
    const last = readLastWallet()
    if (!last || isDone.current || newest.current > 0) return
    const isLast = ({ rdns, address }: WalletChoice) => rdns === last.rdns && (address ?? last.address) === last.address
    const choice = choices.find(isLast)
    if (!choice) return
    isDone.current = true
    openConnection(choice, 'eth_accounts', last.address).then(
      (connection) => connection && newest.current === 0 && connectTo(connection),
      () => undefined,
    )
  }, [choices.length])
}
