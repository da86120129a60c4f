/// The delays of GS, by the numbers of its delay macro. Source: SC-88Pro owner's manual, "Delay Macro".
public enum DelayType: UInt8, CaseIterable, Sendable {
  /// They repeat in the middle. In the order of their numbers, from 0.
  case delay1, delay2, delay3, delay4
  /// They go from side to side.
  case panDelay1, panDelay2, panDelay3, panDelay4
  /// It is heard in the reverb too.
  case delayToReverb
  /// It goes from side to side, and repeats in the middle.
  case panRepeat

  /// What people type: "delay-1".
  public var name: String {
    switch self {
    case .delay1: "delay-1"
    case .delay2: "delay-2"
    case .delay3: "delay-3"
    case .delay4: "delay-4"
    case .panDelay1: "pan-delay-1"
    case .panDelay2: "pan-delay-2"
    case .panDelay3: "pan-delay-3"
    case .panDelay4: "pan-delay-4"
    case .delayToReverb: "delay-to-reverb"
    case .panRepeat: "pan-repeat"
    }
  }

  /// Its setting.
  public var setting: DelaySetting { DelaySetting(index: Int32(rawValue)) }
}
