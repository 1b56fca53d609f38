import { type ComponentChildren, createContext } from 'preact'
import { useContext, useRef, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { type Connection, openConnection } from './connection/openConnection.ts'
import { switchToNetwork } from './connection/switchToNetwork.ts'
import { useNetworkChange } from './connection/useNetworkChange.ts'
import { useReconnection } from './connection/useReconnection.ts'
import { useWalletEvents } from './connection/useWalletEvents.ts'
import { describeWalletFailure, isUnknownChain } from './describeWalletFailure.ts'
import type { WalletChoice } from './ethereumProvider.ts'
import { writeLastWallet } from './lastWallet.ts'
import { useAnnouncedWallets } from './useAnnouncedWallets.ts'
import { useLocalAccounts } from './useLocalAccounts.ts'

type Wallet = {
  choices: WalletChoice[]
  connection: Connection | null
  /** error of the newest attempt to connect or switch, as text */
  failure: string | null
  isBusy: boolean
  connect: (choice: WalletChoice) => Promise<boolean>
  /** abandons the pending wallet request; a late response is ignored */
  giveUp: () => void
  /** the dialog with the choices is open */
  isChoosing: boolean
  openChoices: () => void
  closeChoices: () => void
  disconnect: () => void
  /** requests a switch to the page's network, and to add it where the wallet does not know it */
  switchChain: () => Promise<void>
}

const WalletContext = createContext<Wallet | null>(null)

/** Wallets and the connected one. @throws Error outside `WalletProvider` */
export const useWallet = (): Wallet => {
  const wallet = useContext(WalletContext)
  if (!wallet) throw new Error('outside WalletProvider')
  return wallet
}

type Props = { network: Network; children: ComponentChildren }

/**
 * Provides the wallets of this browser and the connected one; reconnects the last wallet after a reload without a
 * prompt.
 */
export const WalletProvider = ({ network, children }: Props) => {
  const local = useLocalAccounts(network)
  const announced = useAnnouncedWallets()
  const choices = [...announced, ...local]
  const [connection, setConnection] = useState<Connection | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  /** identifies the current attempt: a wallet may respond late or never */
  const newest = useRef(0)
  const [isChoosing, setIsChoosing] = useState(false)
  useReconnection(choices, newest, setConnection)
  useNetworkChange(network, connection, setConnection)
  useWalletEvents(connection, setConnection)

  /** @returns true when `take` received the response */
  const attempt = async <T,>(request: () => Promise<T>, take: (response: T) => void): Promise<boolean> => {
    newest.current += 1
    const ownAttempt = newest.current
    setFailure(null)
    setIsBusy(true)
    try {
      const response = await request()
      if (ownAttempt !== newest.current) return false
      take(response)
      return true
    } catch (thrown) {
      if (ownAttempt === newest.current) {
        setFailure(isUnknownChain(thrown) ? describeUnknownChain(network) : describeWalletFailure(thrown))
      }
      return false
    } finally {
      if (ownAttempt === newest.current) setIsBusy(false)
    }
  }

  const giveUp = (): void => {
    newest.current += 1
    setFailure(null)
    setIsBusy(false)
  }

  const wallet: Wallet = {
    choices,
    connection,
    failure,
    isBusy,
    connect: (choice) =>
      attempt(
        async () => {
          const connected = await openConnection(choice, 'eth_requestAccounts', choice.address)
          if (!connected) throw new Error('it offers no account')
          return connected
        },
        (connected) => {
          writeLastWallet({ rdns: choice.rdns, address: connected.address })
          setConnection(connected)
        },
      ),
    // without an attempt there is nothing to abandon, and the last wallet may still reconnect
    giveUp: () => isBusy && giveUp(),
    isChoosing,
    openChoices: () => {
      setFailure(null)
      setIsChoosing(true)
    },
    closeChoices: () => setIsChoosing(false),
    disconnect: () => {
      giveUp()
      writeLastWallet(undefined)
      setConnection(null)
    },
    switchChain: async () => {
      if (!connection) return
      const { provider } = connection.choice
      await attempt(
        async () => {
          await switchToNetwork(provider, network)
          return Number(await provider.request({ method: 'eth_chainId' }))
        },
        (now) => setConnection((current) => current && { ...current, chainId: now }),
      )
    },
  }
  return <WalletContext.Provider value={wallet}>{children}</WalletContext.Provider>
}

const describeUnknownChain = ({ label, chainId }: Network): string =>
  `Your wallet does not know ${label}. Add the network with the chain id ${chainId} in your wallet, then switch again.`
