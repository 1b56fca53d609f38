// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface ISettlement {
    function domainSeparator() external view returns (bytes32);
    function filledAmount(bytes calldata orderUid) external view returns (uint256);
    function vaultRelayer() external view returns (address);
}

interface IWrappedNative {
    function approve(address spender, uint256 amount) external returns (bool);
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// Sells the native token in one transaction, without approval or wrapping. It owns the orders and sells the wrapped
/// token; the unsold rest returns to the sender. Its orders never expire for the settlement contract, because the
/// sender's own `validTo` is stored here and ends the signature. Same interface as the contract that public networks
/// have at `ethFlow` in shared/networks.ts.
contract EthFlow {
    /// The sender's terms. `quoteId` is only announced; `validTo` is not part of the signed order.
    struct Data {
        address buyToken;
        address receiver;
        uint256 sellAmount;
        uint256 buyAmount;
        bytes32 appData;
        uint256 feeAmount;
        uint32 validTo;
        bool partiallyFillable;
        int64 quoteId;
    }

    /// `GPv2Order.Data` of the settlement contract: the signed order.
    struct SignedOrder {
        address sellToken;
        address buyToken;
        address receiver;
        uint256 sellAmount;
        uint256 buyAmount;
        uint32 validTo;
        bytes32 appData;
        uint256 feeAmount;
        bytes32 kind;
        bool partiallyFillable;
        bytes32 sellTokenBalance;
        bytes32 buyTokenBalance;
    }

    enum OnchainSigningScheme {
        Eip1271,
        PreSign
    }

    struct OnchainSignature {
        OnchainSigningScheme scheme;
        bytes data;
    }

    struct Placement {
        address owner;
        uint32 validTo;
    }

    event OrderPlacement(address indexed sender, SignedOrder order, OnchainSignature signature, bytes data);
    /// The owner ended a live order.
    event OrderInvalidation(bytes orderUid);
    /// An expired order was refunded; any account may do that.
    event OrderRefund(bytes orderUid, address indexed refunder);

    error EthTransferFailed();
    error IncorrectEthAmount();
    error NotAllowedToInvalidateOrder(bytes32 orderHash);
    error NotAllowedZeroSellAmount();
    error OrderIsAlreadyExpired();
    error OrderIsAlreadyOwned(bytes32 orderHash);
    error ReceiverMustBeSet();

    bytes32 private constant ORDER_TYPE_HASH = keccak256(
        "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,"
        "bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)"
    );
    bytes32 private constant KIND_SELL = keccak256("sell");
    bytes32 private constant BALANCE_ERC20 = keccak256("erc20");
    bytes4 private constant ERC1271_MAGIC = 0x1626ba7e;
    bytes4 private constant ERC1271_REFUSED = 0xffffffff;
    /// Owner of an ended order, so that its hash is never used again.
    address private constant INVALIDATED = address(type(uint160).max);

    ISettlement public immutable cowSwapSettlement;
    IWrappedNative public immutable wrappedNativeToken;
    bytes32 private immutable domainSeparator;

    /// By order digest. An unknown order has no owner.
    mapping(bytes32 => Placement) public orders;

    constructor(ISettlement settlement, IWrappedNative wrappedNative) {
        cowSwapSettlement = settlement;
        wrappedNativeToken = wrappedNative;
        domainSeparator = settlement.domainSeparator();
        wrappedNative.approve(settlement.vaultRelayer(), type(uint256).max);
    }

    /// Receives the native token that unwrapping pays.
    receive() external payable {}

    /// Places an order of the sender, paid with this call, and announces it to the order book.
    function createOrder(Data calldata order) external payable returns (bytes32 orderHash) {
        if (msg.value != order.sellAmount + order.feeAmount) revert IncorrectEthAmount();
        if (order.sellAmount == 0) revert NotAllowedZeroSellAmount();
        if (order.validTo < block.timestamp) revert OrderIsAlreadyExpired();

        SignedOrder memory signed = toSignedOrder(order);
        orderHash = digest(signed);
        if (orders[orderHash].owner != address(0)) revert OrderIsAlreadyOwned(orderHash);
        orders[orderHash] = Placement(msg.sender, order.validTo);
        emit OrderPlacement(
            msg.sender,
            signed,
            OnchainSignature(OnchainSigningScheme.Eip1271, abi.encodePacked(address(this))),
            abi.encodePacked(order.quoteId, order.validTo)
        );
    }

    /// Ends an order and refunds the unsold rest: the owner at any time, any account after its expiry.
    function invalidateOrder(Data calldata order) external {
        (bool allowed, bytes32 orderHash) = invalidate(order);
        if (!allowed) revert NotAllowedToInvalidateOrder(orderHash);
    }

    /// The same for several orders; skips those that the caller may not end.
    function invalidateOrdersIgnoringNotAllowed(Data[] calldata orderArray) external {
        for (uint256 i = 0; i < orderArray.length; ++i) invalidate(orderArray[i]);
    }

    /// EIP-1271. The placement is the signature; the signature bytes are ignored.
    function isValidSignature(bytes32 orderHash, bytes calldata) external view returns (bytes4) {
        Placement memory placement = orders[orderHash];
        bool live = placement.owner != address(0) && placement.owner != INVALIDATED;
        return live && placement.validTo >= block.timestamp ? ERC1271_MAGIC : ERC1271_REFUSED;
    }

    /// Called before a settlement: wraps the whole native balance.
    function wrapAll() external {
        wrap(address(this).balance);
    }

    function wrap(uint256 amount) public {
        wrappedNativeToken.deposit{value: amount}();
    }

    function unwrap(uint256 amount) external {
        wrappedNativeToken.withdraw(amount);
    }

    function invalidate(Data calldata order) private returns (bool allowed, bytes32 orderHash) {
        orderHash = digest(toSignedOrder(order));
        Placement memory placement = orders[orderHash];
        bool live = placement.validTo >= block.timestamp;
        allowed = placement.owner != address(0) && placement.owner != INVALIDATED
            && (!live || placement.owner == msg.sender);
        if (!allowed) return (false, orderHash);

        // before any payment, so that a reentrant owner cannot be paid twice
        orders[orderHash].owner = INVALIDATED;
        bytes memory orderUid = abi.encodePacked(orderHash, address(this), type(uint32).max);
        if (live) emit OrderInvalidation(orderUid);
        else emit OrderRefund(orderUid, msg.sender);

        payBack(placement.owner, order.sellAmount, order.feeAmount, cowSwapSettlement.filledAmount(orderUid));
    }

    /// The unsold rest and its fee, at most the remaining balance: the fees of all fills, each rounded down, never
    /// exceed the rounded fee of the filled part.
    function payBack(address owner, uint256 sellAmount, uint256 feeAmount, uint256 filled) private {
        uint256 amount = sellAmount - filled + feeAmount - (feeAmount * filled) / sellAmount;
        if (address(this).balance < amount) wrappedNativeToken.withdraw(amount - address(this).balance);
        (bool success,) = owner.call{value: amount}("");
        if (!success) revert EthTransferFailed();
    }

    function toSignedOrder(Data calldata order) private view returns (SignedOrder memory) {
        // this contract owns the order, so a zero receiver would send the proceeds here
        if (order.receiver == address(0)) revert ReceiverMustBeSet();
        return SignedOrder({
            sellToken: address(wrappedNativeToken),
            buyToken: order.buyToken,
            receiver: order.receiver,
            sellAmount: order.sellAmount,
            buyAmount: order.buyAmount,
            validTo: type(uint32).max,
            appData: order.appData,
            feeAmount: order.feeAmount,
            kind: KIND_SELL,
            partiallyFillable: order.partiallyFillable,
            sellTokenBalance: BALANCE_ERC20,
            buyTokenBalance: BALANCE_ERC20
        });
    }

    /// EIP-712, in the settlement contract's domain. A static struct in memory is the encoding of its members.
    function digest(SignedOrder memory order) private view returns (bytes32) {
        bytes32 structHash = keccak256(abi.encodePacked(ORDER_TYPE_HASH, abi.encode(order)));
        return keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash));
    }
}
