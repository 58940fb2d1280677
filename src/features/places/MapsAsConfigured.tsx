import { type ReactNode, useEffect, useState } from 'react'
import { useServices } from '~/src/store/hooks'
import { basemapOf, MapSetupProvider } from '~/src/ui/map/setup'

let known: { maps: unknown } | null = null

/** Draws its children's maps on the picture of the world the deployment asks for. */
export const MapsAsConfigured = ({ children }: { children: ReactNode }) => {
  const services = useServices()
  const [asked, setAsked] = useState(known)
  useEffect(() => {
    if (known) return
    services.maps().then(
      (maps) => setAsked((known = { maps })),
      () => services.report('the map configuration could not be read'),
    )
  }, [services])
  return <MapSetupProvider setup={{ basemap: basemapOf(asked?.maps) }}>{children}</MapSetupProvider>
}
