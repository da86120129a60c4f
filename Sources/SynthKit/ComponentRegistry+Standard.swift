import AudioFiles
import AudioGraph
import Instruments

extension ComponentRegistry {
  /// Every kind of node of the package.
  public static func standard() throws(ComponentError) -> ComponentRegistry {
    try ComponentRegistry(Component.audioGraph, Component.audioFiles, Component.instruments)
  }
}
