import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { type HomeArea, inferHomeArea, shortenAddress } from '~/domain/geo/shortAddress'

const HomeAreaContext = createContext<HomeArea>({ countries: [], city: null })

/** Provides the operator's place, whose names no address below shows. */
export const HomeAreaProvider = ({ home, children }: { home: HomeArea; children: ReactNode }) => (
  <HomeAreaContext value={home}>{children}</HomeAreaContext>
)

/** Takes the city that all addresses of the list below share, while nothing else tells the city. */
export const AddressList = ({
  addresses,
  children,
}: {
  addresses: readonly string[]
  children: ReactNode
}) => {
  const home = useContext(HomeAreaContext)
  // By value, because a list that changes for other reasons must not render all addresses again.
  const key = home.city === null ? addresses.join('\n') : ''
  const area = useMemo(
    () => (key === '' ? home : inferHomeArea(key.split('\n'), home)),
    [home, key],
  )
  return <HomeAreaProvider home={area}>{children}</HomeAreaProvider>
}

/** Returns a function that shortens addresses for display. */
export const useShortAddress = (): ((address: string) => string) => {
  const home = useContext(HomeAreaContext)
  return useMemo(() => (address) => shortenAddress(address, home), [home])
}

/** Shows an address without the operator's city and country; the whole of it is its tooltip. */
export const Address = ({ value }: { value: string }) => {
  const short = useShortAddress()(value)
  return (
    <bdi className="typed" {...(short !== value && { title: value })}>
      {short}
    </bdi>
  )
}
