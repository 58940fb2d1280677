import { useTranslation } from 'react-i18next'
import css from './MapView.module.css'

/** A map that can cover the whole screen, and a function that changes it. */
export interface MapExpansion {
  isWhole: boolean
  toggle: () => void
}

const ControlButton = ({
  label,
  path,
  isZoom,
  onClick,
}: {
  label: string
  /** The lines of the icon on a grid of 24 by 24 units. */
  path: string
  isZoom?: boolean
  onClick: () => void
}) => (
  <button type="button" aria-label={label} title={label} data-zoom={isZoom} onClick={onClick}>
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  </button>
)

/** Renders the buttons of a map in its upper corner. */
export const MapControls = ({
  onZoom,
  onRecenter,
  expansion,
}: {
  /** Receives the steps: 1 to zoom in, -1 to zoom out. */
  onZoom: (steps: 1 | -1) => void
  /** Null while everything is in view. */
  onRecenter: (() => void) | null
  expansion: MapExpansion | null
}) => {
  const { t } = useTranslation()
  return (
    <div
      className={css.controls}
      {...(expansion && !expansion.isWhole && { 'data-expandable': true })}
    >
      {expansion && (
        <ControlButton
          label={t(expansion.isWhole ? 'map_leave_whole' : 'map_whole')}
          path={
            expansion.isWhole ? 'M6 6l12 12M18 6L6 18' : 'M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7'
          }
          onClick={expansion.toggle}
        />
      )}
      <ControlButton
        isZoom
        label={t('map_zoom_in')}
        path="M12 6v12M6 12h12"
        onClick={() => onZoom(1)}
      />
      <ControlButton isZoom label={t('map_zoom_out')} path="M6 12h12" onClick={() => onZoom(-1)} />
      {onRecenter && (
        <ControlButton
          label={t('map_recenter')}
          path="M12 3v4m0 10v4M3 12h4m10 0h4M16.5 12a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Z"
          onClick={onRecenter}
        />
      )}
    </div>
  )
}
