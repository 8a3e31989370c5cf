"""What designers ask of levels and packs: counts, ways to win and to lose, pieces and squares that do nothing."""

from gridproof.play.analysis.level import Analysis, analyse
from gridproof.play.analysis.pack import PackAnalysis, analyse_pack

__all__ = ["Analysis", "PackAnalysis", "analyse", "analyse_pack"]
