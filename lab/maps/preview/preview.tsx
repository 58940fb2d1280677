// Shows the map alone, without the rest of the product: `npx tsx
// scripts/maps/preview/previewScreenshots.ts`.
import { createInstance } from 'i18next'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { MapView } from '~/src/ui/map/MapView'
import type { MarkerSpec } from '~/src/ui/map/mapPort'
import english from '~/src/i18n/locales/en/shared.json'
import '~/src/ui/base.css'
import type { LatLng } from '~/domain/geo/types'

interface PreviewData {
  route: LatLng[]
  cars: LatLng[][]
}

const query = new URLSearchParams(location.search)
const root = document.documentElement
root.dataset.scheme = query.get('look') ?? 'light'
root.dir = query.get('dir') ?? 'ltr'
const i18n = createInstance()
await i18n.use(initReactI18next).init({
  lng: query.get('lang') ?? 'en',
  fallbackLng: 'en',
  resources: { en: { translation: english } },
})
const { route, cars } = (await (await fetch('/preview.json')).json()) as PreviewData

const parsePosition = (name: string): LatLng | undefined => {
  const [lat, lng] = (query.get(name) ?? '').split(',').map(Number)
  return lat !== undefined && lng !== undefined && lat !== 0 ? { lat, lng } : undefined
}

const Preview = () => {
  const [tick, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  const isBusy = !query.has('bare')
  const vehicles = cars.slice(0, Number(query.get('cars') ?? 30)).map((line, i): MarkerSpec => ({
    id: `car-${i}`,
    kind: 'vehicle',
    position: line[(tick * 2 + i * 7) % line.length]!,
    label: `Car ${i + 1}`,
  }))
  const center = parsePosition('center')
  return (
    <MapView
      label="Preview"
      {...(center && { center })}
      zoom={Number(query.get('zoom') ?? 13)}
      markers={
        isBusy
          ? [
              ...vehicles,
              { id: 'start', kind: 'start', position: route[0]!, label: 'Pickup' },
              { id: 'end', kind: 'end', position: route[route.length - 1]!, label: 'Drop' },
            ]
          : []
      }
      isClustered={query.has('clustered')}
      polylines={
        isBusy
          ? [{ id: 'route', positions: route, progress: Number(query.get('progress') ?? 0) }]
          : []
      }
      fitPositions={center ? [] : route}
      padding={{ top: 70, bottom: 70, left: 60, right: 60 }}
      {...(query.has('pick') && { onPick: () => undefined })}
      {...(query.has('list') && {
        list: vehicles.map(({ id, label, position }) => ({
          id,
          text: label,
          detail: 'Free',
          at: position,
        })),
      })}
      onIdle={() => (document.title = 'idle')}
    />
  )
}

createRoot(document.getElementById('root')!).render(
  <I18nextProvider i18n={i18n}>
    <Preview />
  </I18nextProvider>,
)
