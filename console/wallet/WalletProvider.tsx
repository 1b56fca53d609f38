import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useOnChange } from '../ui/useOnChange.ts'
import { buildAddedChain, toHexChainId } from './buildAddedChain.ts'
import { describeWalletFailure, isUnknownChain } from './describeWalletFailure.ts'
import type { EthereumProvider, WalletChoice } from './ethereumProvider.ts'
import { readLastWallet, writeLastWallet } from './lastWallet.ts'
import { readAccounts } from './readAccounts.ts'
import { useAnnouncedWallets } from './useAnnouncedWallets.ts'
import { localRdns, useLocalAccounts } from './useLocalAccounts.ts'

/** An account that can sign. */
export type Connection = {
  choice: WalletChoice
  /** lower case */
  address: string
  /** of the wallet's network */
  chainId: number
}

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
    const own = newest.current
    setFailure(null)
    setIsBusy(true)
    try {
      const response = await request()
      if (own !== newest.current) return false
      take(response)
      return true
    } catch (thrown) {
      if (own === newest.current) {
        setFailure(isUnknownChain(thrown) ? describeUnknownChain(network) : describeWalletFailure(thrown))
      }
      return false
    } finally {
      if (own === newest.current) setIsBusy(false)
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
          const connected = await open(choice, 'eth_requestAccounts', choice.address)
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
          await switchTo(provider, network)
          return Number(await provider.request({ method: 'eth_chainId' }))
        },
        (now) => setConnection((current) => current && { ...current, chainId: now }),
      )
    },
  }
  return <WalletContext.Provider value={wallet}>{children}</WalletContext.Provider>
}

/** @throws wallet error */
const switchTo = async (provider: EthereumProvider, network: Network): Promise<void> => {
  const chain = buildAddedChain(network)
  const request = { method: 'wallet_switchEthereumChain', params: [{ chainId: toHexChainId(network.chainId) }] }
  try {
    await provider.request(request)
  } catch (thrown) {
    if (!isUnknownChain(thrown) || !chain) throw thrown
    await provider.request({ method: 'wallet_addEthereumChain', params: [chain] })
    // some wallets add a network without a switch to it
    await provider.request(request)
  }
}

const describeUnknownChain = ({ label, chainId }: Network): string =>
  `Your wallet does not know ${label}. Add the network with the chain id ${chainId} in your wallet, then switch again.`

/** @param method `eth_accounts` prompts no one; local accounts use it too, since they have no prompt */
const open = async (
  choice: WalletChoice,
  method: 'eth_accounts' | 'eth_requestAccounts',
  wanted: string | null,
): Promise<Connection | undefined> => {
  const { provider } = choice
  const accounts = readAccounts(await provider.request({ method: choice.address === null ? method : 'eth_accounts' }))
  const address = choice.address ?? accounts.find((account) => account === wanted) ?? accounts[0]
  if (address === undefined) return undefined
  return { choice, address, chainId: Number(await provider.request({ method: 'eth_chainId' })) }
}

/** A local account belongs to the node of one network, so it is left with that network. */
const useNetworkChange = (
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

/**
 * Reconnects the last wallet once it announces itself, unless the user has chosen one before.
 * @param newest attempt, 0 before the first one
 */
const useReconnection = (
  choices: WalletChoice[],
  newest: { readonly current: number },
  connectTo: (connection: Connection) => void,
): void => {
  const isDone = useRef(false)
  // the choices are another list in every render; their number only grows
  useOnChange(() => {
    const last = readLastWallet()
    if (!last || isDone.current || newest.current > 0) return
    const isLast = ({ rdns, address }: WalletChoice) => rdns === last.rdns && (address ?? last.address) === last.address
    const choice = choices.find(isLast)
    if (!choice) return
    isDone.current = true
    open(choice, 'eth_accounts', last.address).then(
      (connection) => connection && newest.current === 0 && connectTo(connection),
      () => undefined,
    )
  }, [choices.length])
}

/** Follows changes that the user makes in the wallet. */
const useWalletEvents = (
  connection: Connection | null,
  update: (change: (current: Connection | null) => Connection | null) => void,
): void => {
  const choice = connection?.choice
  useEffect(() => {
    const provider = choice?.provider
    if (!provider?.on || choice?.address !== null) return
    const takeAccounts = (accounts: unknown) => {
      const address = readAccounts(accounts)[0]
      update((current) => (current && address ? { ...current, address } : null))
      writeLastWallet(address ? { rdns: choice.rdns, address } : undefined)
    }
    const takeChain = (chainId: unknown) => update((current) => current && { ...current, chainId: Number(chainId) })
    provider.on('accountsChanged', takeAccounts)
    provider.on('chainChanged', takeChain)
    return () => {
      provider.removeListener?.('accountsChanged', takeAccounts)
      provider.removeListener?.('chainChanged', takeChain)
    }
  }, [choice, update])
}
