"""Analysis of levels and packs: counts, solutions, dead ends, needless pieces and unused squares."""

from gridproof.analysis.level import Analysis, analyse
from gridproof.analysis.pack import PackAnalysis, analyse_pack

__all__ = ["Analysis", "PackAnalysis", "analyse", "analyse_pack"]
